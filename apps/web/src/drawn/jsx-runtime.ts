import { Fragment, jsx as make, jsxs as makeOfMany } from "react/jsx-runtime";
import { drawnProps } from "./drawn-props.ts";

type Make = typeof make;

export const jsx: Make = (type, props, key) => make(type, drawnProps(type, Object(props)), key);
export const jsxs: Make = (type, props, key) => makeOfMany(type, drawnProps(type, Object(props)), key);
export { Fragment };
