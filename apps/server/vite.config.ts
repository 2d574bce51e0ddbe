import { defineConfig } from "vite";
import { programBuild } from "../../scripts/program-build.ts";

export default defineConfig(programBuild(import.meta.dirname));
