/** The rules as a page: the same words as behind `?`, and the same small board. */
import { need, pageData } from "../base/dom.js";
import { mountExample } from "../board/local-game.js";
import { loadView } from "./view-loader.js";

mountExample(need("[data-example]"), await loadView(pageData().game));
