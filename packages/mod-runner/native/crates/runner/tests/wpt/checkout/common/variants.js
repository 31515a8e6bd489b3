function isOfVariant(name) {
  return location.search === "" || location.search === `?${name}`;
}
