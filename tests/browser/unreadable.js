// Finds on a page what is said, and which of it is cut: by an element that hides what does not fit, or by the edge of the page.
() => {
  const texts = new Set();
  const cut = new Set();
  const isSeen = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  // Whoever has a name chose how long it is.
  const isUnseen = (element) => element.closest(".unseen, .skip, [inert], [aria-hidden=true], .name, .player") !== null;
  const nameOf = ({ tagName, className }) => [tagName.toLowerCase(), ...String(className).split(" ")].filter(Boolean).join(".");
  const clips = (style, axis) => ["hidden", "clip"].includes(style[`overflow${axis}`]);

  const cutBy = (rect, element) => {
    if (rect.width === 0 || rect.height === 0) return "";
    for (let around = element; around && around !== document.documentElement; around = around.parentElement) {
      const style = getComputedStyle(around);
      if (style.display === "inline" || style.display === "contents") continue;
      const box = around.getBoundingClientRect();
      if (clips(style, "X") && (rect.right > box.right + 1 || rect.left < box.left - 1)) return nameOf(around);
      if (clips(style, "Y") && (rect.bottom > box.bottom + 2 || rect.top < box.top - 2)) return nameOf(around);
      if (["auto", "scroll"].includes(style.overflowX) || ["auto", "scroll"].includes(style.overflowY)) return "";
      if (style.position === "fixed") break;
    }
    return rect.right > document.documentElement.clientWidth + 1 || rect.left < -1 ? "the page" : "";
  };

  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.data.trim();
    const element = node.parentElement;
    if (!text || !isSeen(element) || element.closest("script, style, title, option")) continue;
    texts.add(text);
    if (isUnseen(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const [cutter] = [...range.getClientRects()].map((rect) => cutBy(rect, element)).filter(Boolean);
    if (cutter) cut.add(`${text} (by ${cutter})`);
  }
  for (const element of document.querySelectorAll("[aria-label], [title], [placeholder], [alt], option")) {
    if (element.tagName !== "OPTION" && !isSeen(element)) continue;
    for (const name of ["aria-label", "title", "placeholder", "alt", "aria-valuetext"]) if (element.getAttribute(name)) texts.add(element.getAttribute(name));
    if (element.tagName === "OPTION") texts.add(element.textContent.trim());
  }
  texts.add(document.title);
  if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) cut.add("the page scrolls sideways");
  return { texts: [...texts], cut: [...cut] };
};
