import { type Figure, renderFigures } from "./measure/figures.ts";
import { largeTemplate } from "./scenarios/large-template.ts";
import { lighthouse } from "./scenarios/lighthouse.ts";
import { longRun } from "./scenarios/long-run.ts";
import { manyPipelines } from "./scenarios/many-pipelines.ts";
import { onScreen } from "./scenarios/on-screen.ts";
import { warmNavigation } from "./scenarios/warm-navigation.ts";
import { withWorld, type World } from "./world.ts";

const scenarios: Record<string, { title: string; run: (world: World) => Promise<Figure[]> }> = {
  lighthouse: { title: "Lighthouse, on the built pages", run: lighthouse },
  "warm-navigation": { title: "Going to a page that was seen before", run: warmNavigation },
  "on-screen": { title: "From the commit to the screen, at 200 events a second", run: onScreen },
  "long-run": { title: "50,000 events in one attempt", run: longRun },
  "large-template": { title: "200 stages in one graph", run: largeTemplate },
  "many-pipelines": { title: "10,000 pipelines in the list", run: manyPipelines },
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(scenarios);
for (const name of names) {
  const scenario = scenarios[name];
  if (scenario === undefined)
    throw new RangeError(`no scenario is named ${name}; there are ${Object.keys(scenarios).join(", ")}`);
  console.log(`\n${scenario.title}\n`);
  console.log(renderFigures(await withWorld(name, scenario.run)));
}
