// What a refusal of the server is called on the screen.
import { ApiError } from "@/api/http";
import { useTexts } from "@/i18n/translator";

/** Return a function that puts an error in words: our own where the server did not answer, else the server's. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTexts();
  return (error) => {
    if (error instanceof ApiError && error.code === "unreachable") return t("app.unreachable");
    return error instanceof Error ? error.message : String(error);
  };
}
