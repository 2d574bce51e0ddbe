import { z } from "zod";
import type { Ending } from "../exit-codes.ts";
import { CommandFailure, type SaidNo } from "../failure.ts";

const problemShape = z.looseObject({
  code: z.string(),
  detail: z.string(),
  title: z.string().default(""),
  status: z.number().default(0),
  requestId: z.string().default(""),
  violations: z
    .array(z.looseObject({ field: z.string(), rule: z.string().default(""), message: z.string() }))
    .default([]),
});

type Refused = {
  readonly status: number;
  readonly text: string;
  readonly url: URL;
  readonly hasKey: boolean;
};

/** What the server said no with, in its own words, and what may help. */
export function problemFailure({ status, text, url, hasKey }: Refused): CommandFailure {
  const problem = readProblem(text);
  if (problem === undefined) {
    if (status >= 300 && status < 400)
      return new CommandFailure(
        "unreachable",
        `${url.origin} sends elsewhere; give the address that it sends to.`,
      );
    return new CommandFailure(
      "unreachable",
      `${url.origin} answered ${status}, and not as Signalbox does; something else may be listening there.`,
      { hints: ["SIGNALBOX_URL or --url says where the server is."] },
    );
  }
  return new CommandFailure(endingOf(status), problem.detail, { problem, hints: hintsOf(problem, hasKey) });
}

function readProblem(text: string): SaidNo | undefined {
  try {
    return problemShape.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

function endingOf(status: number): Ending {
  if (status === 401 || status === 403) return "notAllowed";
  return status === 503 || status === 504 || status === 429 ? "unreachable" : "failed";
}

function hintsOf({ code, detail, requestId }: SaidNo, hasKey: boolean): string[] {
  if (code === "UNAUTHENTICATED") {
    return hasKey
      ? ["The key that was given is none that this server knows; SIGNALBOX_KEY or --key-file holds it."]
      : ["Give a key: in SIGNALBOX_KEY, or in a file that --key-file names."];
  }
  if (code === "FORBIDDEN" && detail.includes("person")) {
    return [
      "A key is nobody in particular, so no key may do this, an administrator's neither.",
      "Sign in as yourself and do it there.",
    ];
  }
  if (code === "VERSION_CONFLICT")
    return ["Somebody else was faster. Look at what is there now, then run the command again."];
  if (code === "INTERNAL") return [`The server's log says more under request id ${requestId}.`];
  return [];
}

/** JSON, but not what this version of the command line understands. */
export const unexpectedFailure = (url: URL, error: z.ZodError): CommandFailure => {
  const [issue] = error.issues;
  const place = issue === undefined || issue.path.length === 0 ? "" : ` (${issue.path.join(".")})`;
  return new CommandFailure(
    "unreachable",
    `What ${url.origin} answered is not what this command expects${place}; it may be another program, or another version.`,
    { cause: error },
  );
};
