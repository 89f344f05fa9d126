/** A validator for the part of JSON Schema that our schemas use. A keyword that it does not know is an error. */

export type Schema = Readonly<Record<string, unknown>>;

const ANNOTATIONS = new Set(['$schema', '$id', '$defs', 'title', 'description', '$comment']);

/**
 * What is wrong, each with its path; empty if the value fits. With `strict`, properties that the schema does not name are
 * wrong too, so that nothing is written that is not described.
 */
export function validateJson(root: Schema, value: unknown, strict = false): readonly string[] {
  return validate(root, value, '$');

  function validate(schema: Schema, value: unknown, path: string): readonly string[] {
    return Object.entries(schema).flatMap(([keyword, wanted]) => check(schema, keyword, wanted, value, path));
  }

  function check(schema: Schema, keyword: string, wanted: unknown, value: unknown, path: string): readonly string[] {
    const wrong = (isWrong: boolean, why: string): readonly string[] => (isWrong ? [`${path}: ${why}`] : []);
    switch (keyword) {
      case '$ref':
        return validate(resolve(wanted as string), value, path);
      case 'type':
        return wrong(![wanted].flat().some((type) => isOfType(value, type as string)), `is no ${wanted}`);
      case 'const':
        return wrong(value !== wanted, `is not ${JSON.stringify(wanted)}`);
      case 'enum':
        return wrong(!(wanted as unknown[]).includes(value), `${JSON.stringify(value)} is none of ${wanted}`);
      case 'pattern':
        return wrong(typeof value === 'string' && !new RegExp(wanted as string, 'u').test(value), `is not ${wanted}`);
      case 'minimum':
        return wrong(typeof value === 'number' && value < (wanted as number), `is less than ${wanted}`);
      case 'minItems':
        return wrong(Array.isArray(value) && value.length < (wanted as number), `has fewer than ${wanted} items`);
      case 'items':
        return Array.isArray(value)
          ? value.flatMap((item, i) => validate(wanted as Schema, item, `${path}[${i}]`))
          : [];
      case 'required':
        return isRecord(value) ? (wanted as string[]).flatMap((name) => wrong(!(name in value), `lacks ${name}`)) : [];
      case 'properties':
      case 'additionalProperties':
        return isRecord(value) ? checkProperties(schema, keyword, value, path) : [];
      case 'oneOf':
      case 'anyOf': {
        const results = (wanted as Schema[]).map((s) => validate(s, value, path));
        const fits = results.filter((errors) => errors.length === 0).length;
        if (keyword === 'oneOf' ? fits === 1 : fits > 0) return [];
        return [`${path}: fits ${fits} of ${results.length}`, ...results.flat()];
      }
      default:
        if (ANNOTATIONS.has(keyword)) return [];
        throw new Error(`this validator does not know "${keyword}"`);
    }
  }

  function checkProperties(
    schema: Schema,
    keyword: string,
    value: Readonly<Record<string, unknown>>,
    path: string,
  ): readonly string[] {
    const properties = (schema['properties'] ?? {}) as Record<string, Schema>;
    const others = schema['additionalProperties'];
    return Object.entries(value).flatMap(([name, item]) => {
      const at = `${path}.${name}`;
      const own = properties[name];
      if (keyword === 'properties') {
        if (own !== undefined) return validate(own, item, at);
        return strict && others === undefined ? [`${at}: is not described`] : [];
      }
      if (own !== undefined) return [];
      return others === false ? [`${at}: is not allowed`] : validate(others as Schema, item, at);
    });
  }

  function resolve(pointer: string): Schema {
    const found = pointer
      .slice(2)
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], root);
    if (!isRecord(found)) throw new Error(`${pointer} leads nowhere`);
    return found;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    default:
      return typeof value === type;
  }
}
