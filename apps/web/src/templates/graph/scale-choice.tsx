import { useId } from "react";

const scales = [1, 0.75, 0.5, 0.25] as const;
export type Scale = (typeof scales)[number];

export function ScaleChoice({ scale, onScale }: { scale: Scale; onScale: (scale: Scale) => void }) {
  const id = useId();
  return (
    <div className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-soft">
      <p className="mr-auto text-xs">
        Whole line: after success. Dashed: when a condition holds. Dotted: on failure. Dashed block: not
        required.
      </p>
      <span className="inline-flex items-center gap-2">
        <label htmlFor={id}>Size</label>
        <select
          id={id}
          value={scale}
          className="min-h-9 rounded-sm border border-track/60 bg-panel px-2 tabular-nums"
          onChange={(event) => {
            const chosen = scales.find((one) => String(one) === event.target.value);
            if (chosen !== undefined) onScale(chosen);
          }}
        >
          {scales.map((one) => (
            <option key={one} value={one}>
              {one * 100} %
            </option>
          ))}
        </select>
      </span>
    </div>
  );
}
