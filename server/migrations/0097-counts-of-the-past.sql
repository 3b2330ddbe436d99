-- Records that became final before they were counted. It reads each of them once, and stops nobody.
select catch_up_list_counts();
