/**
 * What the schema of SARIF 2.1.0 (OASIS) demands of the objects that we write, put down by hand: which properties there
 * are, which must be there, and what may be in them. Properties of SARIF that we do not write are left out, so that
 * writing one by mistake is noticed.
 */
import type { Schema } from './json-schema.ts';

const text: Schema = { type: 'string' };
const ref = (name: string): Schema => ({ $ref: `#/$defs/${name}` });
const list = (items: Schema, minItems = 0): Schema => ({ type: 'array', items, minItems });
const object = (required: readonly string[], properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  required,
  properties,
  additionalProperties: false,
});

export const SARIF_SCHEMA: Schema = {
  ...object(['version', 'runs'], {
    $schema: { type: 'string', pattern: '^https://' },
    version: { enum: ['2.1.0'] },
    runs: list(ref('run')),
  }),
  $defs: {
    run: object(['tool'], {
      tool: object(['driver'], { driver: ref('toolComponent') }),
      invocations: list(ref('invocation')),
      columnKind: { enum: ['utf16CodeUnits', 'unicodeCodePoints'] },
      results: list(ref('result')),
    }),
    toolComponent: object(['name'], {
      name: text,
      semanticVersion: text,
      rules: list(object(['id'], { id: text, shortDescription: object(['text'], { text }) })),
    }),
    invocation: object(['executionSuccessful'], {
      executionSuccessful: { type: 'boolean' },
      toolExecutionNotifications: list(
        object(['message'], { message: ref('message'), level: ref('level'), locations: list(ref('location')) }),
      ),
    }),
    level: { enum: ['none', 'note', 'warning', 'error'] },
    message: object(['text'], { text }),
    result: object(['message'], {
      ruleId: text,
      ruleIndex: { type: 'integer', minimum: -1 },
      kind: { enum: ['notApplicable', 'pass', 'fail', 'review', 'open', 'informational'] },
      level: ref('level'),
      message: ref('message'),
      locations: list(ref('location')),
      partialFingerprints: { type: 'object', additionalProperties: text },
      codeFlows: list(object(['threadFlows'], { threadFlows: list(ref('threadFlow'), 1) })),
      properties: { type: 'object' },
    }),
    threadFlow: object(['locations'], { id: text, message: ref('message'), locations: list(ref('flowLocation'), 1) }),
    flowLocation: object([], {
      executionOrder: { type: 'integer', minimum: -1 },
      importance: { enum: ['important', 'essential', 'unimportant'] },
      location: ref('location'),
    }),
    location: object([], {
      physicalLocation: object(['artifactLocation'], {
        // A URI reference: nothing in it that would have to be escaped.
        artifactLocation: object([], { uri: { type: 'string', pattern: "^[A-Za-z0-9\\-._~!$&'()*+,;=:@%/?#]*$" } }),
        region: object([], {
          startLine: { type: 'integer', minimum: 1 },
          startColumn: { type: 'integer', minimum: 1 },
        }),
      }),
      message: ref('message'),
    }),
  },
};
