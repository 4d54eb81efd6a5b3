/** The rules as a page: the same words as behind `?`, and the same small board. */
import { need, pageData } from "./dom.js";
import { loadView } from "./view-loader.js";

const view = await loadView(pageData().game);
view.mountExample(need("[data-example]"));
