// The Element Plus components in use, each with its style sheet. Import them from here, so that no style is forgotten and nothing else is bundled.
import "element-plus/theme-chalk/base.css";
import "element-plus/theme-chalk/dark/css-vars.css";
import "element-plus/theme-chalk/el-button.css";
import "element-plus/theme-chalk/el-card.css";
import "element-plus/theme-chalk/el-icon.css";

export { ElButton } from "element-plus/es/components/button/index";
export { ElCard } from "element-plus/es/components/card/index";
