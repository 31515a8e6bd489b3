interface Task {
  id: number;
  title: string;
  state: "open" | "running" | "done";
}

interface Frame {
  /** How many renders this process has seen: state lasts from one to the next. */
  frame: number;
  rows: string[];
}

const marks = { open: " ", running: "◐◓◑◒", done: "✓" };
let frame = 0;

/** A list of tasks as rows of equal length, and a bar below. */
export function render({ tasks, columns }: { tasks: Task[]; columns: number }): Frame {
  const rows = tasks.map((task) => renderTask(task, columns));
  const done = tasks.filter(({ state }) => state === "done").length;
  rows.push(renderBar(done / Math.max(1, tasks.length), columns));
  return { frame: ++frame, rows };
}

function renderTask({ id, title, state }: Task, columns: number): string {
  const mark = state === "running" ? marks.running[frame % marks.running.length] : marks[state];
  const head = `${String(id).padStart(3)} [${mark}] `;
  const room = columns - head.length;
  return head + (title.length > room ? `${title.slice(0, room - 1)}…` : title.padEnd(room));
}

function renderBar(part: number, columns: number): string {
  const filled = Math.round(part * (columns - 6));
  return `${"━".repeat(filled)}${"─".repeat(columns - 6 - filled)} ${`${Math.round(part * 100)} %`.padStart(5)}`;
}
