/** The bundled parser, alone in a file of its own so that the rest of the build stays readable. */
export { getStaticTOMLValue, ParseError, parseTOML } from "toml-eslint-parser";
