// The remembered theme, set before the first paint. Keep the key and the attribute as in src/theme/theme.ts.
try {
  const choice = localStorage.getItem("signalbox.theme");
  if (choice === "light" || choice === "dark") document.documentElement.dataset.theme = choice;
} catch {
  // Storage is blocked: the system's theme stands.
}
