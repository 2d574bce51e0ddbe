import type { ComponentProps } from "react";
import { Button } from "./button.tsx";

/** The second click of a double click asks for nothing: the first may be answered, and the control be free, before it comes. */
export function CommandButton({ onClick, ...rest }: ComponentProps<typeof Button>) {
  return (
    <Button
      {...rest}
      onClick={(event) => {
        if (event.detail < 2) onClick(event);
      }}
    />
  );
}
