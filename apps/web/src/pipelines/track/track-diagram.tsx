import { memo, useEffect, useMemo, useRef, useState } from "react";
import { cutMiddle } from "../../ui/cut-middle.ts";
import { Lamp } from "../../ui/signal.tsx";
import type { Pipeline, Stage } from "../pipeline-queries.ts";
import { shortStatus, stageStatus } from "../statuses.ts";
import { blockHeight, blockWidth, layOut } from "./layout.ts";
import { followTrains, type Train } from "./trains.ts";

/**
 * The pipeline as a signal box shows a line: stages are blocks, the signal behind a block says whether a train may go on, and
 * trains stand where work is. The blocks are links in a list; what is drawn between them says nothing that the list does not.
 */
export function TrackDiagram({ pipeline }: { pipeline: Pipeline }) {
  const { stages } = pipeline;
  const layout = useLayout(stages);
  const trains = useTrains(pipeline);
  const box = useRef<HTMLDivElement>(null);
  const at = layout.blocks.get(stages.find(isOccupied)?.stageId ?? "")?.x;
  useEffect(() => {
    // With the frame: asked for at once, where it stands would be laid out for each event of those that come together.
    const frame = requestAnimationFrame(() => {
      const { current } = box;
      // Only so far that it is seen: nobody's own scrolling is undone while the train stays in view.
      if (current === null || at === undefined) return;
      if (at < current.scrollLeft || at + blockWidth > current.scrollLeft + current.clientWidth)
        current.scrollLeft = at - blockWidth;
    });
    return () => cancelAnimationFrame(frame);
  }, [at]);
  return (
    <div ref={box} className="board overflow-x-auto p-3 sm:p-5">
      <div className="relative" style={{ width: layout.width, height: layout.height }}>
        <Lines layout={layout} trains={trains} stages={stages} />
        <ol aria-label="Stages on the track">
          {stages.map((stage) => {
            const block = layout.blocks.get(stage.stageId);
            return block && <StageBlock key={stage.stageId} stage={stage} x={block.x} y={block.y} />;
          })}
        </ol>
      </div>
    </div>
  );
}

/** Two hundred stages are laid out once, and not with each event that moves one of them. */
function useLayout(stages: readonly Stage[]): ReturnType<typeof layOut> {
  const shape = JSON.stringify(stages.map(placed));
  return useMemo(() => {
    const read: Parameters<typeof layOut>[0] = JSON.parse(shape);
    return layOut(read);
  }, [shape]);
}

const placed = ({ stageId, config }: Stage) => ({ stageId, dependsOn: config.dependsOnStages });
const occupying = new Set(["READY", "DISPATCHED"]);
const isOccupied = ({ status }: Stage): boolean => occupying.has(shortStatus(status));
const isOver = ({ endedAt }: Pipeline): boolean => endedAt !== null;

function useTrains(pipeline: Pipeline): readonly Train[] {
  const occupied = isOver(pipeline) ? [] : pipeline.stages.filter(isOccupied).map(placed);
  const key = occupied.map(({ stageId }) => stageId).join("\n");
  const [known, setKnown] = useState<{ key: string; trains: readonly Train[] }>({ key: "", trains: [] });
  if (known.key === key) return known.trains;
  const trains = followTrains(known.trains, occupied);
  setKnown({ key, trains });
  return trains;
}

type LinesProps = { layout: ReturnType<typeof layOut>; trains: readonly Train[]; stages: readonly Stage[] };

function Lines({ layout, trains, stages }: LinesProps) {
  const statuses = new Map(stages.map(({ stageId, status }) => [stageId, shortStatus(status)]));
  return (
    <svg aria-hidden="true" width={layout.width} height={layout.height} className="absolute inset-0">
      {layout.links.map(({ from, to, path }) => (
        <path
          key={`${from} ${to}`}
          d={path}
          fill="none"
          strokeWidth="4"
          stroke={statuses.get(from) === "COMPLETED" ? "var(--track)" : "var(--rule)"}
        />
      ))}
      {trains.map(({ name, stageId }) => {
        const block = layout.blocks.get(stageId);
        if (block === undefined) return null;
        // Waiting for an agent it stands before the block, at work in it.
        const x = statuses.get(stageId) === "READY" ? block.x - 30 : block.x + blockWidth - 34;
        return (
          <g
            key={name}
            className="transition-transform duration-700 ease-in-out"
            style={{ transform: `translate(${Math.max(x, 0)}px, ${block.y + blockHeight + 6}px)` }}
          >
            <rect width="26" height="9" rx="2" fill="var(--ink)" />
            <rect x="4" y="2.5" width="5" height="3" fill="var(--panel)" />
            <rect x="12" y="2.5" width="5" height="3" fill="var(--panel)" />
          </g>
        );
      })}
    </svg>
  );
}

const frames: Record<string, string> = {
  DISPATCHED: "border-plate bg-plate text-plate-ink",
  COMPLETED: "border-track bg-recess text-ink",
  READY: "border-track bg-panel text-ink",
  FAILED: "border-danger-rule bg-danger-panel text-ink",
};
const otherFrame = "border-rule border-dashed bg-panel text-ink-soft";

/** Drawn again only when its own stage is another one. */
const StageBlock = memo(function StageBlock({ stage, x, y }: { stage: Stage; x: number; y: number }) {
  const { word, aspect } = stageStatus(stage);
  const waits = stage.waitsForEscalationId !== null;
  const frame = waits ? "border-caution-rule bg-caution-panel text-ink" : frames[shortStatus(stage.status)];
  return (
    <li>
      <a
        href={`#${stageAnchor(stage.stageId)}`}
        title={stage.stageId}
        className={`absolute flex flex-col justify-center rounded-[3px] border-2 px-3 ${frame ?? otherFrame}`}
        style={{ left: x, top: y, width: blockWidth, height: blockHeight }}
      >
        <span className="font-mono text-xs font-semibold">{cutMiddle(stage.stageId, 16)}</span>
        <span className="truncate text-xs">
          {word}
          {stage.attemptNumber > 1 && `, attempt ${stage.attemptNumber}`}
        </span>
      </a>
      <span aria-hidden="true" className="absolute" style={{ left: x + blockWidth + 4, top: y - 8 }}>
        <Lamp aspect={aspect} size="small" />
      </span>
    </li>
  );
});

export const stageAnchor = (stageId: string): string => `stage-${stageId}`;
