import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import type { Machine } from "./document/types.ts";

export function readMachine(): Omit<Machine, "loadBefore" | "loadAfter"> {
  const cpus = os.cpus();
  return {
    cpuModel: cpus[0]?.model.trim() || "unknown",
    cores: cpus.length,
    memoryBytes: os.totalmem(),
    kernel: `${os.type().toLowerCase()} ${os.release()}`,
    os: readOsName(),
    arch: os.arch(),
  };
}

export function readLoad(): number[] {
  return os.loadavg();
}

function readOsName(): string {
  const file = "/etc/os-release";
  const name = existsSync(file)
    ? /^PRETTY_NAME="?(.*?)"?$/m.exec(readFileSync(file, "utf8"))?.[1]
    : undefined;
  return name ?? `${os.platform()} ${os.version()}`;
}
