/** What a person chose. `system` is no choice: it is kept nowhere, and the system's own changes are followed. */
export type Theme = "system" | "light" | "dark";

/** Keep as in public/theme.js, which reads it before the first paint. */
const storageKey = "signalbox.theme";

const following: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };

export const nextTheme = (theme: Theme): Theme => following[theme];

export const parseTheme = (stored: string | null): Theme =>
  stored === "light" || stored === "dark" ? stored : "system";

export function rememberedTheme(): Theme {
  try {
    return parseTheme(localStorage.getItem(storageKey));
  } catch {
    return "system";
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, theme);
  } catch {
    // Storage is blocked: the choice holds until the page is left.
  }
}
