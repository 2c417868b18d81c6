// The theme's search dialog has no name for screen readers.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search")
