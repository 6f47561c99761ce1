/** Reads the JSON body of a request. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { isObject, type JsonObject } from '../records.ts';
import { errorReply, type Reply } from './reply.ts';

/** A body, the reply that refuses it, or `gone` if the client went away. */
export type Body = { readonly body: JsonObject } | { readonly bodyRefusal: Reply } | 'gone';

const TOO_LARGE = refuse(413, 'body_too_large');

/** Reads a JSON object; an empty body is `{}`. */
export async function readBody(incoming: IncomingMessage, maxBytes: number): Promise<Body> {
  const declared = Number(incoming.headers['content-length'] ?? 0);
  if (declared > maxBytes) return TOO_LARGE;
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  } catch {
    return 'gone';
  }
  if (length > maxBytes) {
    // Discards the rest, so that the connection can be used again.
    incoming.resume();
    return TOO_LARGE;
  }
  return length === 0 ? { body: {} } : parseBody(incoming, Buffer.concat(chunks));
}

function parseBody({ headers }: IncomingMessage, bytes: Buffer): Body {
  const [type = ''] = (headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    return refuse(415, 'unsupported_media_type');
  const body = isUtf8(bytes) ? parseObject(bytes.toString()) : undefined;
  return body ? { body } : refuse(400, 'invalid_json');
}

function parseObject(json: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function refuse(status: number, code: string): Body {
  return { bodyRefusal: errorReply(status, code) };
}
