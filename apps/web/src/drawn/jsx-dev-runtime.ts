import { Fragment, jsxDEV as make } from "react/jsx-dev-runtime";
import { drawnProps } from "./drawn-props.ts";

export const jsxDEV: typeof make = (type, props, ...rest) =>
  make(type, drawnProps(type, Object(props)), ...rest);
export { Fragment };
