import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { endpoints } from "../paths.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { Notice } from "../ui/notice.tsx";
import { waysIn } from "./account.ts";
import { signInByPassword } from "./session.ts";

type Props = { next: string | undefined; tenantId: string | undefined; onSignedIn: () => void };

export function PasswordForm({ next, tenantId, onSignedIn }: Props) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { data: ways } = useSuspenseQuery(waysIn());
  const signIn = useOneAtATime({
    mutationFn: () => signInByPassword({ email, password, ...(tenantId !== undefined && { tenantId }) }),
    onSuccess: onSignedIn,
  });
  const { error } = signIn;
  const { form, submit, fault } = useFormFaults(error, {
    email: { value: email, says: "The address is missing: the one that you set up your account with." },
    password: { value: password, says: "The password is missing." },
  });
  return (
    <section aria-label="With your account" className="grid gap-5">
      <form
        noValidate
        className="grid max-w-md gap-5"
        ref={form}
        onSubmit={submit(() => {
          if (!signIn.isPending) signIn.mutate();
        })}
      >
        <Field
          label="Address"
          type="email"
          autoComplete="username"
          spellCheck={false}
          value={email}
          onValue={setEmail}
          fault={fault("email")}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
          fault={fault("password")}
        />
        {error !== null && !isAllBeside(error, ["email"]) && <Refusal error={error} />}
        <div>
          <SubmitButton>{signIn.isPending ? "One moment…" : "Sign in"}</SubmitButton>
        </div>
      </form>
      {ways.oidc && (
        <a
          href={endpoints.oidc({ next, tenantId })}
          className="inline-flex min-h-10 w-fit items-center rounded-sm border border-track/60 bg-panel px-4 text-sm font-medium hover:bg-recess"
        >
          Go to your organisation’s sign-in
        </a>
      )}
    </section>
  );
}

function Refusal({ error }: { error: unknown }) {
  const problem = problemOf(error);
  if (problem.code !== "UNAUTHENTICATED" && problem.code !== "RATE_LIMITED")
    return <ProblemNotice problem={problem} />;
  return (
    <div role="alert">
      <Notice aspect="caution" title={problem.detail}>
        <p>An administrator can make you a link that signs you in once, to choose another password.</p>
      </Notice>
    </div>
  );
}
