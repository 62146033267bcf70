// 系统设置的中文文案。
import type { Messages } from "../en";

const settings: Messages["settings"] = {
  lead: "修改立即生效。",
  auxiliary: "默认辅助模型",
  auxiliaryHelp: "未单独指定辅助模型的智能体，都由它撰写摘要。这里只列出勾选了“可作为辅助模型”的渠道。",
  noChannel: "不设置",
  window: "窗口 {tokens}",
  isMissing: "已不存在",
  isDisabled: "已停用",
  isUnticked: "未勾选辅助",
  auxiliaryNone: "没有辅助模型，压缩就会失败，窗口用满后对话无法继续。请选择一个渠道。",
  auxiliaryMissing: "所设渠道已不存在，压缩会失败。请另选一个。",
  auxiliaryDisabled: "渠道“{name}”已停用，压缩会失败。请启用它，或另选一个。",
  auxiliaryUnticked: "渠道“{name}”未勾选“可作为辅助模型”，压缩会失败。请勾选它，或另选一个。",
  nothingToChoose: "还没有可以撰写摘要的渠道：请先在渠道中勾选“可作为辅助模型”。",
  auxiliaryOffline: "离线模型只会从对话中摘取原句。换成真正的模型，摘要会更好。",
  manageChannels: "模型渠道",
  about: "关于",
  version: "版本",
  documentation: "文档",
  documentationText: "见源码中的 README.zh-CN.md 和 docs/ 目录：压缩原理、通信协议、服务器运维。",
  interface: "接口",
  interfaceLink: "HTTP 接口与消息帧的 OpenAPI 描述",
  server: "服务器",
  serverText: "地址、端口和数据目录在启动时指定：netaclaw serve --help",
};

export default settings;
