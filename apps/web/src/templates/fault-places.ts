/** Which template, stage and line a fault's path is about: `pipeline_templates.templates[0].stages[2].edges[1]`. */
export type FaultPlace = { template: number | undefined; stage: number | undefined; field: string };

const PLACE =
  /^pipeline_templates\.templates\[(?<template>\d+)\](?:\.stages\[(?<stage>\d+)\])?\.?(?<field>.*)$/s;

export function placeOfFault(path: string): FaultPlace {
  const { template, stage, field = path } = PLACE.exec(path)?.groups ?? {};
  return { template: numberOf(template), stage: numberOf(stage), field };
}

const numberOf = (text: string | undefined) => (text === undefined ? undefined : Number(text));
