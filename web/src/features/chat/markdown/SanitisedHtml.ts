// The one place of the page that sets HTML, with the sanitiser in it, so that nothing gets past it. (Rendering tokens as components
// instead would cost a component for each word of coloured code.) The DOM is touched only when the HTML has changed.
import createDOMPurify from "dompurify";
import { h, type FunctionalComponent } from "vue";

const LINK = /^(?:https?:|mailto:)/i;
/** No pictures of other servers: they would tell them who reads, and the server's policy refuses them anyway. */
const PICTURE = /^(?:data:image\/(?:png|jpeg|gif|webp);base64,|blob:)/i;
const ALIGNMENT = /^text-align:(?:left|right|center)$/;

const TAGS = "a b blockquote br button code del div em h1 h2 h3 h4 h5 h6 hr i img li ol p pre s span strong table tbody td th thead tr ul";

const purifier = createDOMPurify(window);

purifier.addHook("afterSanitizeAttributes", (node) => {
  if (node.tagName === "A") onlySafeLink(node);
  if (node.tagName === "IMG" && !PICTURE.test(node.getAttribute("src") ?? "")) node.removeAttribute("src");
  if (!ALIGNMENT.test(node.getAttribute("style") ?? "")) node.removeAttribute("style");
});

function onlySafeLink(link: Element) {
  if (!LINK.test(link.getAttribute("href") ?? "")) {
    link.removeAttribute("href");
    return;
  }
  link.setAttribute("target", "_blank");
  link.setAttribute("rel", "noopener noreferrer nofollow");
}

function sanitised(html: string): string {
  return purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS.split(" "),
    ALLOWED_ATTR: ["href", "title", "class", "start", "src", "alt", "tabindex", "role", "aria-label", "type", "style"],
    ALLOWED_URI_REGEXP: new RegExp(`${LINK.source}|${PICTURE.source}`, "i"),
    // Without this, the values of these would have to be addresses.
    ADD_URI_SAFE_ATTR: ["start", "tabindex", "aria-label", "type"],
    ALLOW_ARIA_ATTR: false,
    ALLOW_DATA_ATTR: false,
  });
}

const SanitisedHtml: FunctionalComponent<{ html: string }> = ({ html }) => h("div", { class: "block", innerHTML: sanitised(html) });

SanitisedHtml.props = { html: { type: String, required: true } };

export default SanitisedHtml;
