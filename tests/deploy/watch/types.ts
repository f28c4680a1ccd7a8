// What the dashboard has to be, in Grafana's own types. An enum of theirs is a word in JSON.
import type { Dashboard, GraphFieldConfig, Panel, RowPanel } from "@grafana/schema";
import type { Options as TableOptions } from "@grafana/schema/dist/esm/raw/composable/table/panelcfg/x/TablePanelCfg_types.gen";
import type { Options as TimeSeriesOptions } from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";

type Json<T> = T extends string
  ? `${T}`
  : T extends Array<infer Item>
    ? Array<Json<Item>>
    : T extends object
      ? { [Key in keyof T]: Json<T[Key]> }
      : T;
type Drawn<Kind extends string, Options, Custom = Record<string, never>> = Omit<Panel<Options, Custom>, "options" | "type"> & {
  type: Kind;
  options: Partial<Options>;
  targets: Array<{
    refId: string;
    datasource: { type: "prometheus"; uid: string };
    expr: string;
    legendFormat: string;
    format?: "table";
    exemplar?: boolean;
    instant?: boolean;
    range?: boolean;
  }>;
};

export type Ours = Json<
  Omit<Dashboard, "panels"> & {
    panels: Array<RowPanel | Drawn<"timeseries", TimeSeriesOptions, GraphFieldConfig> | Drawn<"table", TableOptions>>;
  }
>;
