/** Requests to `fencepost serve`. */
import { useEffect, useState } from 'preact/hooks';
import { type CheckStatus, TOKEN_HEADER, TOKEN_PARAMETER } from '../report/serve-api.ts';

async function answerOf<T>(response: Response): Promise<T> {
  const value = await response.json();
  if (!response.ok) throw new Error(value.message ?? response.statusText);
  return value;
}

/** The token is part of the address that `fencepost serve` printed, and the page keeps it there. */
function token(): string {
  return new URLSearchParams(location.search).get(TOKEN_PARAMETER) ?? '';
}

export async function get<T>(path: string): Promise<T> {
  return answerOf(await fetch(path, { headers: { [TOKEN_HEADER]: token() } }));
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', [TOKEN_HEADER]: token() };
  return answerOf(await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) }));
}

/** The answer, once it has arrived; stale while another request is under way. */
interface Asked<T> {
  readonly value?: T;
  readonly problem?: string;
  readonly isStale: boolean;
}

/** Asks again whenever `key` changes, and drops answers to earlier keys. */
export function useAsked<T>(key: string, ask: () => Promise<T>): Asked<T> {
  const [asked, setAsked] = useState<{ key: string; value?: T; problem?: string }>({ key: '' });
  useEffect(() => {
    let isWanted = true;
    const set = (answer: { value?: T; problem?: string }): void => {
      if (isWanted) setAsked({ key, ...answer });
    };
    ask().then(
      (value) => set({ value }),
      (error: Error) => set({ problem: error.message }),
    );
    return () => {
      isWanted = false;
    };
  }, [key]);
  const { value, problem } = asked;
  return {
    ...(value === undefined ? {} : { value }),
    ...(problem === undefined ? {} : { problem }),
    isStale: asked.key !== key,
  };
}

/** The progress of a check, until it has finished. */
export function useCheck(id: number | undefined): CheckStatus | undefined {
  const [status, setStatus] = useState<CheckStatus>();
  useEffect(() => {
    if (id === undefined) return undefined;
    const query = new URLSearchParams({ [TOKEN_PARAMETER]: token() });
    const stream = new EventSource(`/api/checks/${id}/events?${query}`);
    stream.onmessage = ({ data }) => {
      const next: CheckStatus = JSON.parse(data);
      setStatus(next);
      if (next.state !== 'running') stream.close();
    };
    return () => stream.close();
  }, [id]);
  return status?.id === id ? status : undefined;
}
