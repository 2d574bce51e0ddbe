/** What the command line takes from the environment; nothing else here reads it. */
export type Environment = {
  readonly url: string | undefined;
  readonly key: string | undefined;
  readonly colourless: boolean;
  readonly columns: number | undefined;
  readonly person: string | undefined;
  /** Any other, by its name: what a dev session's programs are given is said in their files. */
  readonly variable: (name: string) => string | undefined;
};

type Variables = Readonly<Record<string, string | undefined>>;

const given = (text: string | undefined) =>
  text === undefined || text.trim() === "" ? undefined : text.trim();

export function readEnvironment(variables: Variables): Environment {
  const columns = Number(variables["COLUMNS"]);
  return {
    url: given(variables["SIGNALBOX_URL"]),
    key: given(variables["SIGNALBOX_KEY"]),
    // https://no-color.org: any value but the empty one counts.
    colourless: (variables["NO_COLOR"] ?? "") !== "" || variables["TERM"] === "dumb",
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    person: given(variables["USER"]) ?? given(variables["USERNAME"]),
    variable: (name) => variables[name],
  };
}

export const processEnvironment = (): Environment => readEnvironment(process.env);
