/** How a setting of one kind is read from its variable; of `config.ts` and what belongs to it. */

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  constructor(variable: string, sentence: string) {
    super(`${variable}: ${sentence}`);
    this.name = 'ConfigError';
  }
}

export function text(env: Environment, name: string): string | null {
  const value = env[name]?.trim();
  return value === undefined || value === '' ? null : value;
}

export function integer(env: Environment, name: string, fallback: number, min: number, max: number): number {
  const value = text(env, name);
  if (value === null) return fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < min || number > max) {
    throw new ConfigError(name, `must be a whole number from ${min} to ${max}, not "${value}".`);
  }
  return number;
}

export function oneOf<const T extends string>(
  env: Environment,
  name: string,
  values: readonly T[],
  fallback: T,
): T {
  const value = text(env, name);
  if (value === null) return fallback;
  const found = values.find((candidate) => candidate === value.toLowerCase());
  if (found === undefined)
    throw new ConfigError(name, `must be one of ${values.join(', ')}, not "${value}".`);
  return found;
}

export function secret(env: Environment, name: string, minimum: number): string | null {
  const value = text(env, name);
  if (value !== null && value.length < minimum) {
    throw new ConfigError(
      name,
      `must have at least ${minimum} characters; \`openssl rand -hex 32\` makes a good one.`,
    );
  }
  return value;
}

export function url(env: Environment, name: string, protocols: readonly string[]): string | null {
  const value = text(env, name);
  if (value === null) return null;
  // The value may hold a password: it is never repeated in the message.
  if (!URL.canParse(value) || !protocols.includes(new URL(value).protocol)) {
    throw new ConfigError(
      name,
      `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  }
  return value;
}

export function origin(env: Environment, name: string): string | null {
  const value = url(env, name, ['http:', 'https:']);
  if (value === null) return null;
  const parsed = new URL(value);
  if (parsed.search !== '' || parsed.hash !== '' || parsed.username !== '') {
    throw new ConfigError(
      name,
      'must be a bare address such as https://ghostlight.example, without query or credentials.',
    );
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}
