import { invalid, notFound, page } from "../answers.ts";
import { type Call, type Routes, readNumber, timestamp } from "../call.ts";
import { login, repositoryPath, showComment } from "../shapes.ts";
import { takeId } from "../state.ts";

export const commentRoutes: Routes = {
  "issues/list-comments": (call) => {
    const issue = readNumber(call, "issue_number");
    if (!call.pullRequests.includes(issue)) return notFound;
    const comments = call.store.state.comments.filter((comment) => comment.issue === issue);
    const path = `${repositoryPath(call)}/issues/${issue}/comments`;
    return page(call, comments, (comment) => showComment(call, comment), path);
  },

  "issues/create-comment": (call) => {
    const issue = readNumber(call, "issue_number");
    if (!call.pullRequests.includes(issue)) return notFound;
    const { body } = call.json as { body: string };
    if (body === "") return invalid({ resource: "IssueComment", code: "missing_field", field: "body" });
    const { state, save } = call.store;
    const comment = { id: takeId(state), issue, body, login, createdAt: timestamp(call) };
    state.comments.push(comment);
    save();
    const json = showComment(call, comment);
    return { status: 201, json, headers: { location: json.url } };
  },

  "issues/update-comment": (call) => {
    const comment = findComment(call);
    if (comment === undefined) return notFound;
    comment.body = (call.json as { body: string }).body;
    call.store.save();
    return { status: 200, json: showComment(call, comment) };
  },

  "issues/delete-comment": (call) => {
    const comment = findComment(call);
    if (comment === undefined) return notFound;
    const { state, save } = call.store;
    state.comments = state.comments.filter((each) => each !== comment);
    save();
    return { status: 204 };
  },
};

function findComment(call: Call) {
  const id = readNumber(call, "comment_id");
  return call.store.state.comments.find((comment) => comment.id === id);
}
