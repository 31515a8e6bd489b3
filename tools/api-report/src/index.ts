export { acceptApiReports, checkApiReports } from "./api-reports.ts";
export { selectPackages } from "./select-packages.ts";
export type { ApiReport, ApiReportResult } from "./types.ts";
