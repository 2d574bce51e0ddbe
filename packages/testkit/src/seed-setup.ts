/** Properties draw from the seed of the run where it has one (`npm test` gives it), else from one of their own. */
import * as fc from "fast-check";

const seed = process.env["SIGNALBOX_TEST_SEED"];
if (seed !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(seed) });
