// What runs at the other end.
import { request } from "./http";

/** Return the version of the server. */
export const readVersion = () => request<{ info: { version: string } }>("GET", "/api/openapi.json").then(({ info }) => info.version);
