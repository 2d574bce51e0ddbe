import { useState } from "react";
import { IconButton } from "../ui/button.tsx";
import { MoonIcon, SunIcon, SystemIcon } from "../ui/icons.tsx";
import { applyTheme, nextTheme, rememberedTheme, type Theme } from "./theme.ts";

const words: Record<Theme, string> = { system: "as the system", light: "light", dark: "dark" };
const icons: Record<Theme, typeof SunIcon> = { system: SystemIcon, light: SunIcon, dark: MoonIcon };

export function ThemeToggle() {
  const [theme, setTheme] = useState(rememberedTheme);
  const next = nextTheme(theme);
  const Icon = icons[theme];
  return (
    <IconButton
      label={`Theme: ${words[theme]}. Change to ${words[next]}`}
      onClick={() => {
        applyTheme(next);
        setTheme(next);
      }}
    >
      <Icon />
    </IconButton>
  );
}
