import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { pageFrame } from "../ui/page-frame.ts";
import { canComeBack, ownAccount } from "./account.ts";
import { currentSession } from "./session.ts";

const frame = `${pageFrame.read} pt-6`;

/** What whoever is signed in has to know of themselves, above every page. */
export function AccountNotice() {
  return (
    <>
      <RoleNotice />
      <ComeBackNotice />
    </>
  );
}

/** Controls that were there a moment ago are gone, or closed: without a word nobody would know why. */
function RoleNotice() {
  const { data: session } = useQuery(currentSession());
  const role = session?.role;
  const [seen, setSeen] = useState(role);
  if (seen === undefined && role !== undefined) setSeen(role);
  if (role === undefined || seen === undefined || role === seen) return null;
  return (
    <div role="alert" className={frame}>
      <Notice aspect="caution" title={`Your role is ${role} now; it was ${seen}`}>
        <p>
          An administrator has changed it. What you may do has changed with it, on every open page at once;
          what you wrote is still where it was.
        </p>
        <Button onClick={() => setSeen(role)}>I have read it</Button>
      </Notice>
    </div>
  );
}

/** Who came by a link is signed in once: without an account of their own they would stand outside tomorrow. */
function ComeBackNotice() {
  const { data } = useQuery({ ...ownAccount(), staleTime: Infinity });
  if (data === undefined || canComeBack(data)) return null;
  return (
    <div className={frame}>
      <Notice aspect="caution" title="You came by a link that is good once">
        <p>
          Set up your account, and you can sign in again by yourself.{" "}
          <Link {...paths.setUp()} className="font-medium underline underline-offset-4">
            Set up your account
          </Link>
        </p>
      </Notice>
    </div>
  );
}
