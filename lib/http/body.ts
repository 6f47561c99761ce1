/** Reads the JSON body of a request. */
import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { errorReply, type Reply } from './reply.ts';
import type { JsonObject } from './request.ts';

/** A body, or the reply that refuses it. */
export type Body = { readonly body: JsonObject } | { readonly refused: Reply };

/**
 * @param maxBody in bytes
 * @returns `{}` for an empty body; `undefined` if the client has gone
 */
export async function readBody(
  incoming: IncomingMessage,
  maxBody: number,
): Promise<Body | undefined> {
  const chunks: Buffer[] = [];
  let length = Number(incoming.headers['content-length'] ?? 0);
  if (length > maxBody) return refuse(413, 'body_too_large');
  length = 0;
  try {
    for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
      length += chunk.length;
      if (length > maxBody) return refuse(413, 'body_too_large');
      chunks.push(chunk);
    }
  } catch {
    return undefined;
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

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const refuse = (status: number, code: string): Body => ({ refused: errorReply(status, code) });
