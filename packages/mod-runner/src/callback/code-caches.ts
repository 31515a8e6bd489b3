type Caches = Readonly<Record<string, string>>;

/** Compiled code by mod, the longest unused first. A cache never leaves the mod that it was made for. */
export class CodeCaches {
  readonly #limitBytes: number;
  readonly #byDigest = new Map<string, { caches: Caches; bytes: number }>();
  #bytes = 0;

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  get isOn(): boolean {
    return this.#limitBytes > 0;
  }

  get(digest: string): Caches | undefined {
    const found = this.#byDigest.get(digest);
    if (found === undefined) return undefined;
    this.#byDigest.delete(digest);
    this.#byDigest.set(digest, found);
    return found.caches;
  }

  /** Adds to what is there of the mod, for `paths` that it has and no others. */
  add(digest: string, caches: Caches, paths: Caches): void {
    const own = Object.entries(caches).filter(([path]) => Object.hasOwn(paths, path));
    const merged = { ...this.#byDigest.get(digest)?.caches, ...Object.fromEntries(own) };
    const bytes = Object.values(merged).reduce((total, text) => total + text.length, 0);
    this.#remove(digest);
    if (bytes > this.#limitBytes) return;
    this.#byDigest.set(digest, { caches: merged, bytes });
    this.#bytes += bytes;
    for (const oldest of this.#byDigest.keys()) {
      if (this.#bytes <= this.#limitBytes) return;
      this.#remove(oldest);
    }
  }

  #remove(digest: string): void {
    this.#bytes -= this.#byDigest.get(digest)?.bytes ?? 0;
    this.#byDigest.delete(digest);
  }
}
