import { expect, test } from "vitest";
import { compactDeclarations } from "../scripts/compact-declarations.ts";

test("says the same in fewer bytes", () => {
  const code = `/// <reference lib="esnext.disposable" />
/**
 * What is wrong.
 *
 * - one thing
 */
interface Fault extends Base<string> {
    /** One of them. */
    readonly "kind": "a" | "b";
    "not-a-name"?: Array<string>;
    [key: string]: unknown;
    (call: number): void;
}
//#region somewhere
type Pick<T> = T extends "x" ? "y" : { [K in keyof T]?: T[K] };
export { type Fault, type Pick };
`;
  expect(compactDeclarations(code)).toBe(`/// <reference lib="esnext.disposable" />
/** What is wrong.

- one thing */interface Fault extends Base<string>{
/** One of them. */readonly kind:"a"|"b"
"not-a-name"?:Array<string>
[key:string]:unknown
(call:number):void}
type Pick<T>=T extends"x"?"y":{[K in keyof T]?:T[K]}
export{type Fault,type Pick}
`);
});

test("a bullet that a margin of asterisks would swallow stays one", () => {
  expect(compactDeclarations("/**\n * List:\n * * one\n */\ntype A = 1;\n")).toBe(
    "/** List:\n- one */type A=1\n",
  );
});

test("refuses what does not parse", () => {
  expect(() => compactDeclarations("type A = ;")).toThrow();
});
