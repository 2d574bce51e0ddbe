import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { type Account, changeAccount } from "./account.ts";

const fields = ["name", "email", "password", "currentPassword"];

/** Setting up one's account, and changing it: the password may be left as it is where there is one. */
export function AccountForm({
  account,
  action,
  onDone,
}: {
  account: Account;
  action: string;
  onDone: () => void;
}) {
  const [name, setName] = useState(account.email === null ? "" : account.name);
  const [email, setEmail] = useState(account.email ?? "");
  const [password, setPassword] = useState("");
  const [current, setCurrent] = useState("");
  const asksCurrent = account.passwordNeeds === "current-password";
  const change = useOneAtATime({
    mutationFn: () =>
      changeAccount({
        name: name.trim(),
        ...(account.email === null && { email }),
        ...((password !== "" || !account.hasPassword) && { password }),
        ...(password !== "" && asksCurrent && { currentPassword: current }),
      }),
    onSuccess: () => {
      setPassword("");
      setCurrent("");
      onDone();
    },
  });
  const { error } = change;
  const { form, submit, fault } = useFormFaults(error, {
    name: { value: name, says: "The name is missing: 1 to 100 characters, as others will see it." },
    email: { value: email, says: "The address is missing: one such as ada@example.org, to sign in with." },
    ...(password !== "" &&
      asksCurrent && {
        currentPassword: {
          value: current,
          says: "The current password is missing: another one is changed only with it.",
        },
      }),
    ...((!account.hasPassword || (asksCurrent && current !== "")) &&
      account.passwordNeeds !== "sign-in-again" && {
        password: {
          value: password,
          says: "The password is missing: 12 to 200 characters, such as a few words that belong together only for you.",
        },
      }),
  });
  return (
    <form
      noValidate
      className="grid max-w-md gap-5"
      ref={form}
      onSubmit={submit(() => {
        if (!change.isPending) change.mutate();
      })}
    >
      <Field
        label="Name"
        autoComplete="name"
        value={name}
        onValue={setName}
        fault={fault("name")}
        hint="As others will see it beside what you do."
      />
      <Field
        label="Address"
        type="email"
        autoComplete="username"
        spellCheck={false}
        value={email}
        onValue={setEmail}
        readOnly={account.email !== null}
        fault={fault("email")}
        hint={
          account.email === null
            ? "You sign in with it. Nothing is sent to it."
            : "You sign in with it. An administrator can change it."
        }
      />
      {account.passwordNeeds === "sign-in-again" ? (
        <p className="text-sm text-ink-soft">
          To choose a password, sign out and in again first: you did so too long ago.
        </p>
      ) : (
        <>
          {asksCurrent && (
            <Field
              label="Current password"
              type="password"
              autoComplete="current-password"
              value={current}
              onValue={setCurrent}
              fault={fault("currentPassword")}
              hint="Only to change it."
            />
          )}
          <Field
            label={account.hasPassword ? "New password" : "Password"}
            type="password"
            autoComplete="new-password"
            value={password}
            onValue={setPassword}
            fault={fault("password")}
            hint="12 to 200 characters, 5 of them different, and not your name or address; a few words that belong together only for you are good."
          />
        </>
      )}
      {error !== null && !isAllBeside(error, fields) && <ProblemNotice problem={problemOf(error)} />}
      <div className="flex flex-wrap items-center gap-4">
        <SubmitButton>{change.isPending ? "One moment…" : action}</SubmitButton>
        <output className="text-sm text-ink-soft">{change.isSuccess ? "Saved." : ""}</output>
      </div>
    </form>
  );
}
