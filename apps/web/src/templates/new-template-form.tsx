import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { paths } from "../paths.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field } from "../ui/field.tsx";
import { type StarterName, starterNames, starters } from "./starters.ts";

/** Opens the editor with a starter; nothing is kept before somebody saves it. */
export function NewTemplateForm({ taken }: { taken: readonly string[] }) {
  const navigate = useNavigate();
  const [id, setId] = useState("");
  const [starter, setStarter] = useState<StarterName>("review");
  const [fault, setFault] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  return (
    <form
      noValidate
      ref={form}
      className="grid max-w-xl gap-5"
      onSubmit={(event) => {
        event.preventDefault();
        const reason = faultOf(id, taken);
        setFault(reason);
        if (reason === undefined) void navigate(paths.editTemplate(id, { starter }));
        else form.current?.querySelector("input")?.focus();
      }}
    >
      <Field
        label="Id of the new template"
        hint="Tasks name it: letters, digits and dashes, such as implement-and-review."
        value={id}
        onValue={setId}
        fault={fault}
        autoComplete="off"
        spellCheck={false}
      />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Begin with</legend>
        <div className="grid gap-2">
          {starterNames.map((one) => (
            <label key={one} className="flex items-baseline gap-2.5 text-sm">
              <input
                type="radio"
                name="starter"
                className="accent-plate"
                checked={starter === one}
                onChange={() => setStarter(one)}
              />
              <span>
                <span className="font-medium">{starters[one].name}.</span>{" "}
                <span className="text-ink-soft">{starters[one].says}</span>
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      <div>
        <SubmitButton>Open it in the editor</SubmitButton>
      </div>
    </form>
  );
}

function faultOf(id: string, taken: readonly string[]): string | undefined {
  if (id === "")
    return "The id is missing: 1 to 200 characters without white space, such as implement-and-review.";
  if (id.length > 200 || /[\s\p{Cc}]/u.test(id))
    return "An id has at most 200 characters and no white space.";
  return taken.includes(id) ? `There is a template “${id}” already.` : undefined;
}
