// 每个页面外框的中文文案。
import type { Messages } from "../en";

const app: Messages["app"] = {
  title: "NetaClaw",
  agents: "智能体",
  channels: "模型渠道",
  settings: "系统设置",
  openMenu: "打开菜单",
  closeMenu: "关闭菜单",
  skipToContent: "跳到主要内容",
  column: "对话与页面",
  navigation: "页面导航",
  save: "保存",
  saved: "已保存",
  cancel: "取消",
  close: "关闭",
  delete: "删除",
  retry: "重试",
  unreachable: "服务器没有响应。请检查 NetaClaw 是否在运行；数据没有丢失。",
};

export default app;
