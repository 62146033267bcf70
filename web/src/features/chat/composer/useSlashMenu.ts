// The menu of commands over the composer: what it offers, what is marked, and the keys that move it.
import { computed, shallowRef, watch, type Ref } from "vue";

import { matchingCommands, type SLASH_COMMANDS } from "./slashCommands";

type Command = (typeof SLASH_COMMANDS)[number];

export function useSlashMenu(text: Ref<string>) {
  const active = shallowRef(0);
  const dismissed = shallowRef<string | null>(null);
  const commands = computed(() => (dismissed.value === text.value ? [] : matchingCommands(text.value)));
  watch(commands, () => (active.value = 0));

  function choose(command: Command) {
    text.value = `/${command.name}${"argument" in command ? " " : ""}`;
    dismissed.value = text.value;
  }

  /** Return whether the key was the menu's. Enter on a whole command is left to the composer, which carries it out. */
  function takes(event: KeyboardEvent): boolean {
    const count = commands.value.length;
    const marked = commands.value[active.value];
    if (!count || !marked) return false;
    switch (event.key) {
      case "ArrowDown":
        active.value = (active.value + 1) % count;
        break;
      case "ArrowUp":
        active.value = (active.value + count - 1) % count;
        break;
      case "Escape":
        dismissed.value = text.value;
        break;
      case "Tab":
        choose(marked);
        break;
      case "Enter":
        if (text.value.trim().slice(1).toLowerCase() !== marked.name) text.value = `/${marked.name}`;
        return false;
      default:
        return false;
    }
    event.preventDefault();
    return true;
  }

  return { commands, active, choose, takes };
}
