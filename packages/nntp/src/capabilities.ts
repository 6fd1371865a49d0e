/** CAPABILITIES (RFC 3977 §5.2), asked once a session, and only where the answer matters. */
import { latin1Of, LineReader } from '@retriever/driver';
import type { Block } from './block.ts';
import type { Step } from './converse.ts';
import type { Job } from './job.ts';
import type { Capabilities } from './session.ts';

/** Nobody has so many: what comes after them is forgotten. */
const maxCapabilities = 1000;

/** The step that asks, unless the answer is known. */
export function capabilitySteps({ lease: { session }, settings }: Job): Step[] {
  if (session.capabilities) return [];
  return [
    {
      line: ['CAPABILITIES'],
      textAfter: 101,
      optional: true,
      async heed({ block }) {
        // sn and other servers of RFC 977 answer 500.
        session.capabilities = block ? await readCapabilities(block, settings.maxLineBytes) : new Map();
      },
    },
  ];
}

async function readCapabilities(block: Block, maxLineBytes: number): Promise<Capabilities> {
  const capabilities = new Map<string, readonly string[]>();
  const lines = new LineReader(block, { maxLineBytes });
  for (let line = await lines.line(); line; line = await lines.line()) {
    const [label = '', ...words] = latin1Of(line).toUpperCase().trim().split(/\s+/);
    if (capabilities.size < maxCapabilities) capabilities.set(label, words);
  }
  return capabilities;
}
