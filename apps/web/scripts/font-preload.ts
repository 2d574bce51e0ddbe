import type { Plugin } from "vite";

/** Without a preload a font is asked for only when the style sheet has come, and the first page is painted twice. */
export function fontPreload(faces: readonly string[]): Plugin {
  return {
    name: "signalbox:font-preload",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle }) =>
        faces.map((face) => {
          const file = Object.keys(bundle ?? {}).find((name) => name.includes(`/${face}-`));
          if (file === undefined) throw new Error(`font-preload: no font file of the build is named ${face}`);
          return {
            tag: "link",
            attrs: { rel: "preload", as: "font", type: "font/woff2", href: `/${file}`, crossorigin: true },
            injectTo: "head" as const,
          };
        }),
    },
  };
}
