import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { canComeBack, ownAccount } from "./account.ts";

/** Who came by a link is signed in once: without an account of their own they would stand outside tomorrow. */
export function AccountNotice() {
  const { data } = useQuery({ ...ownAccount(), staleTime: Infinity });
  if (data === undefined || canComeBack(data)) return null;
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-6 sm:px-8">
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
