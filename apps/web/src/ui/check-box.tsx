import { useId } from "react";

type CheckBoxProps = { label: string; checked: boolean; onChecked: (checked: boolean) => void };

export function CheckBox({ label, checked, onChecked }: CheckBoxProps) {
  const id = useId();
  return (
    <div className="flex min-h-9 items-center gap-2.5">
      <input
        id={id}
        type="checkbox"
        checked={checked}
        className="size-4 shrink-0 accent-plate"
        onChange={(event) => onChecked(event.target.checked)}
      />
      <label htmlFor={id} className="text-sm">
        {label}
      </label>
    </div>
  );
}
