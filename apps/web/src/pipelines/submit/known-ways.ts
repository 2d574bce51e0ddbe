import { queryOptions } from "@tanstack/react-query";
import { activeVersion } from "../../documents/document-queries.ts";
import { queryClient } from "../../trpc.ts";

/** What the documents in force let a task ask for. */
export type KnownWays = {
  readonly templates: readonly { readonly id: string; readonly name: string }[];
  readonly taskTypes: readonly string[];
};

/** For choosing, where it is known: whoever types a name that stands in neither document is told by the server. */
export const knownWays = () =>
  queryOptions({
    queryKey: ["documents", "ways"],
    queryFn: async (): Promise<KnownWays> => {
      // Its reader of YAML is more than the rest of the page.
      const [{ readWays }, policy, templates] = await Promise.all([
        import("./read-ways.ts"),
        queryClient.fetchQuery(activeVersion("routing-policy")),
        queryClient.fetchQuery(activeVersion("pipeline-templates")),
      ]);
      return readWays(policy?.text, templates?.text);
    },
  });
