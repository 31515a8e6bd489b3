/**
 * Where the description does not say what GitHub does, and the fake does what GitHub does. Anything else
 * that the description does not allow is a violation.
 */
export const deviations = {
  /**
   * Statuses that any operation may answer with although few list them: a malformed request, refused credentials, no rights, not
   * there, limits, outages. https://docs.github.com/rest/using-the-rest-api/troubleshooting-the-rest-api
   */
  commonErrorStatuses: [400, 401, 403, 404, 429, 500, 502, 503, 504],
  /**
   * An asset whose upload broke off is a `starter`: the page of the operation says so in words
   * (https://docs.github.com/rest/releases/assets#upload-a-release-asset), the schema lists `open` instead.
   */
  assetStates: ["starter"],
  /** The schema has octet-stream alone; the page of the operation takes any media type. */
  anyMediaTypeOperations: ["repos/upload-release-asset"],
} as const;
