package io.drey.shuffle.worker.metric;

import io.drey.foundation.DreyException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;

/** Metrics over JMX: a bean of the worker and one of each directory, with an attribute a metric. Read only. */
public final class MetricBeans implements AutoCloseable {
    private static final String DOMAIN = "io.drey.shuffle";

    private final List<ObjectName> names = new ArrayList<>();

    /** Registers the beans at the platform's server. */
    public MetricBeans(UUID worker, Supplier<List<Metric>> metrics) {
        Set<String> directories = new TreeSet<>();
        metrics.get().forEach(each -> directories.add(each.directory()));
        try {
            for (String directory : directories) {
                String which = directory.isEmpty() ? "" : ",directory=" + ObjectName.quote(directory);
                ObjectName name = new ObjectName(DOMAIN + ":type=worker,id=" + worker + which);
                ManagementFactory.getPlatformMBeanServer().registerMBean(new Bean(directory, metrics), name);
                names.add(name);
            }
        } catch (JMException e) {
            close();
            throw new DreyException("the metrics of worker " + worker + " could not be registered for JMX", e);
        }
    }

    @Override
    public void close() {
        DreyException failure = null;
        for (ObjectName each : names) {
            try {
                ManagementFactory.getPlatformMBeanServer().unregisterMBean(each);
            } catch (JMException e) {
                failure = new DreyException("the metrics " + each + " could not be taken from JMX", e);
            }
        }
        names.clear();
        if (failure != null) {
            throw failure;
        }
    }

    /** The metrics of one directory, or of the worker itself. */
    private static final class Bean implements DynamicMBean {
        private final String directory;
        private final Supplier<List<Metric>> metrics;

        Bean(String directory, Supplier<List<Metric>> metrics) {
            this.directory = directory;
            this.metrics = metrics;
        }

        private List<Metric> all() {
            return metrics.get().stream()
                    .filter(each -> each.directory().equals(directory))
                    .toList();
        }

        @Override
        public Object getAttribute(String name) throws AttributeNotFoundException {
            for (Metric each : all()) {
                if (each.name().equals(name)) {
                    return each.value();
                }
            }
            throw new AttributeNotFoundException("there is no metric " + name);
        }

        @Override
        public AttributeList getAttributes(String[] wanted) {
            Set<String> names = Set.of(wanted);
            AttributeList found = new AttributeList();
            for (Metric each : all()) {
                if (names.contains(each.name())) {
                    found.add(new Attribute(each.name(), each.value()));
                }
            }
            return found;
        }

        @Override
        public void setAttribute(Attribute attribute) throws AttributeNotFoundException {
            throw new AttributeNotFoundException("metrics are read only, found a value for " + attribute.getName());
        }

        @Override
        public AttributeList setAttributes(AttributeList attributes) {
            return new AttributeList();
        }

        @Override
        public Object invoke(String action, Object[] values, String[] types) {
            throw new UnsupportedOperationException("metrics have no operations, found " + action);
        }

        @Override
        public MBeanInfo getMBeanInfo() {
            MBeanAttributeInfo[] attributes = all().stream()
                    .map(each -> new MBeanAttributeInfo(
                            each.name(), "long", each.isCounter() ? "counter" : "gauge", true, false, false))
                    .toArray(MBeanAttributeInfo[]::new);
            return new MBeanInfo(
                    MetricBeans.class.getName(), "Metrics of a shuffle worker", attributes, null, null, null);
        }
    }
}
