import { invalid, notFound } from "../answers.ts";
import { type Routes, readNumber, type World } from "../call.ts";
import { readDescription } from "../description/read-description.ts";
import { repositoryPath, webPath } from "../shapes.ts";
import type { StoredPullRequest } from "../state.ts";

export const pullRequestRoutes: Routes = {
  "pulls/list": (call) => {
    const { owner } = call.repository;
    const [head, base, state] = ["head", "base", "state"].map((name) => call.query.get(name));
    const found = call.store.state.pullRequests.filter(
      (pull) =>
        (state === "all" || pull.state === (state ?? "open")) &&
        (head === null || head === `${owner}:${pull.head}`) &&
        (base === null || base === pull.base),
    );
    return { status: 200, json: found.map((pull) => showPullRequest(call, pull, true)) };
  },

  "pulls/create": (call) => {
    const { head, base, title, body } = call.json as Record<"head" | "base" | "title" | "body", string>;
    const { state, save } = call.store;
    for (const [field, branch] of Object.entries({ head, base })) {
      if (state.refs[`refs/heads/${branch}`] === undefined)
        return invalid({ resource: "PullRequest", code: "invalid", field });
    }
    const isOpen = state.pullRequests.some(
      (pull) => pull.state === "open" && pull.head === head && pull.base === base,
    );
    const message = `A pull request already exists for ${call.repository.owner}:${head}.`;
    if (isOpen) return invalid({ resource: "PullRequest", code: "custom", message });
    const taken = [...call.pullRequests, ...state.pullRequests.map(({ number }) => number)];
    const pull: StoredPullRequest = {
      number: Math.max(0, ...taken) + 1,
      state: "open",
      head,
      base,
      title,
      body,
    };
    state.pullRequests.push(pull);
    save();
    const json = showPullRequest(call, pull, false);
    return { status: 201, json, headers: { location: json.url as string } };
  },

  "pulls/update": (call) => {
    const pull = call.store.state.pullRequests.find(
      ({ number }) => number === readNumber(call, "pull_number"),
    );
    if (pull === undefined) return notFound;
    const { title, body, state } = call.json as Partial<StoredPullRequest>;
    Object.assign(pull, { title: title ?? pull.title, body: body ?? pull.body, state: state ?? pull.state });
    call.store.save();
    return { status: 200, json: showPullRequest(call, pull, false) };
  },
};

/** The description's own example under this repository's name: nobody here looks at the other fields. */
function showPullRequest(world: World, pull: StoredPullRequest, inList: boolean): Record<string, unknown> {
  const { examples } = readDescription().components;
  const { value } = inList ? examples["pull-request-simple-items"]! : examples["pull-request"]!;
  const text = JSON.stringify(inList ? (value as unknown[])[0] : value)
    .replaceAll("https://api.github.com", world.urls.api)
    .replaceAll("octocat/Hello-World", `${world.repository.owner}/${world.repository.name}`);
  const example = JSON.parse(text) as Record<string, object>;
  const { number, state, title, body } = pull;
  const branch = (side: object | undefined, ref: string) => ({
    ...side,
    ref,
    label: `${world.repository.owner}:${ref}`,
    // What the list's example has of a repository is more than its own schema allows.
    ...(inList ? { repo: trimRepository((side as { repo?: object }).repo) } : {}),
  });
  return {
    ...example,
    number,
    state,
    title,
    body,
    url: `${world.urls.api}${repositoryPath(world)}/pulls/${number}`,
    html_url: `${webPath(world)}/pull/${number}`,
    requested_teams: [],
    head: branch(example.head, pull.head),
    base: branch(example.base, pull.base),
  };
}

function trimRepository(repository: object | undefined): object {
  const {
    template_repository: _,
    subscribers_count: __,
    network_count: ___,
    ...rest
  } = {
    ...repository,
  } as Record<string, unknown>;
  return rest;
}
