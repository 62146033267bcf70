// One function for every HTTP request: JSON in, JSON out, and one kind of error.

/** A request that the server refused (`code` is its word for why), or that did not reach it (`code` is `unreachable`). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = "ApiError";
  }
}

type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** Return the body of the answer, undefined where it has none. Throws ApiError. */
export async function request<T>(method: Method, path: string, body?: unknown): Promise<T> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  let response: Response;
  try {
    response = await fetch(path, { method, ...sent });
  } catch (error) {
    throw new ApiError("unreachable", error instanceof Error ? error.message : String(error));
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw refusal(response, answer);
}

/** Return a query string with the values that are given, `?` included. */
export function query(values: Record<string, string | number | undefined>): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return text ? `?${text}` : "";
}

function refusal(response: Response, answer: unknown): ApiError {
  const { code, message } = (answer ?? {}) as { code?: string; message?: string };
  return new ApiError(code ?? "internal", message ?? `${response.status} ${response.statusText}`);
}
