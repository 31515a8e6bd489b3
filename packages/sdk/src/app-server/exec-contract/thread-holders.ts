/** Whoever has threads loaded in an engine and can let go of them. */
export interface ThreadHolder {
  release(): Promise<void>;
}

/** By thread, the holder in this process; a thread can be loaded in one engine at a time only. */
const holders = new Map<string, ThreadHolder>();

export function noteHolder(threadId: string, holder: ThreadHolder): void {
  holders.set(threadId, holder);
}

export function findHolder(threadId: string): ThreadHolder | undefined {
  return holders.get(threadId);
}

export function forgetHolder(holder: ThreadHolder): void {
  for (const [threadId, other] of holders) if (other === holder) holders.delete(threadId);
}
