// English texts of language and theme.
const preferences = {
  title: "Appearance",
  hint: "Kept in this browser.",
  language: "Language",
  theme: "Theme",
  light: "Light",
  dark: "Dark",
  system: "Follow the system",
  useLight: "Use the light theme",
  useDark: "Use the dark theme",
};

export default preferences;
