import { sql } from "drizzle-orm";
import { withConnection, type Connection } from "../connection.ts";
import { DatabaseError } from "../database-error.ts";
import { passwordOf, withCredentials } from "../database-url.ts";
import { deriveAppPassword } from "./app-password.ts";
import { setAppPassword } from "./roles.ts";

/** The same database under signalbox_app. */
export async function appUrlFor(url: string): Promise<string> {
  const password = passwordOf(url);
  if (password === "") {
    throw new DatabaseError(
      "MALFORMED_URL",
      "DATABASE_URL holds no password, from which signalbox_app's own is derived. Give the login one, or name a login " +
        "that is a member of signalbox_app.",
    );
  }
  return withCredentials(url, "signalbox_app", await deriveAppPassword(password));
}

/** Sets signalbox_app's password only where it is not yet the derived one: other nodes may be working with it. */
export async function ensureAppLogin(connection: Connection, appUrl: string): Promise<void> {
  const probe = () => withConnection(appUrl, (app) => app.execute(sql`select 1`));
  try {
    await probe();
  } catch (error) {
    if (!(error instanceof DatabaseError && error.fault === "ACCESS_DENIED")) {
      throw error;
    }
    await setAppPassword(connection, passwordOf(appUrl));
    await probe();
  }
}
