/** Reads a JSON request body, with limits. */
import { failure, type Reply } from './reply.ts';
import type { Handler, Request } from './request.ts';

/** Largest body, in bytes; a login takes under 300. */
const MAX_BYTES = 10 * 1024;

export type JsonObject = Readonly<Record<string, unknown>>;

/** A handler that is given the body as an object (`{}` where there is none), or is not called: 413, 415, 400. */
export function withJson(
  handler: (request: Request, body: JsonObject) => Reply | Promise<Reply>,
): Handler {
  return async (request) => {
    const bytes = await readBody(request);
    // The rest stays unread, so the connection can carry no further request.
    if (!bytes) return failure(413, 'body_too_large', ['Connection', 'close']);
    if (bytes.length === 0) return handler(request, {});
    if (!isJson(request.headers['content-type'])) return failure(415, 'unsupported_media_type');
    const body = parseObject(bytes);
    return body ? handler(request, body) : failure(400, 'invalid_json');
  };
}

/** The body, or `undefined` where it is too large; what is left of it stays unread. */
async function readBody({ headers, body }: Request): Promise<Buffer | undefined> {
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body.iterator({ destroyOnReturn: false })) {
    length += chunk.length;
    if (length > MAX_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isJson = (contentType = ''): boolean =>
  contentType.split(';')[0]?.trim().toLowerCase() === 'application/json';

function parseObject(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString());
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
