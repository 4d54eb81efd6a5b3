/** The page of the rules: the same words and the same small board as in the dialog that `?` opens. */
import { need, pageData } from "../base/dom.js";
import { mountExample } from "../board/local-game.js";
import { loadView } from "./view-loader.js";

mountExample(need("[data-example]"), await loadView(pageData().game));
